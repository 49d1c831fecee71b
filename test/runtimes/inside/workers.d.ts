/** As much of it as is used. */
declare module 'cloudflare:workers' {
  export const env: { readonly SHARED_URL: string; readonly [binding: string]: unknown }
}
