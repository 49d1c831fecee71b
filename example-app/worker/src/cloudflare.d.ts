// What is used of the runtime. An application of yours has these from `@cloudflare/workers-types`.
declare module 'cloudflare:workers' {
  export const env: import('./worker-env').WorkerEnv
}
