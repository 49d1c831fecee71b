/** The pages that there are, for the browser and the server. A group in a path is the `id` that its page gets. */
export const PAGE_PATHS = {
  home: /^\/$/u,
  signIn: /^\/sign-in$/u,
  accept: /^\/accept$/u,
  recover: /^\/recover$/u,
  approve: /^\/approve$/u,
  inbox: /^\/inbox$/u,
  invite: /^\/invite$/u,
  approvals: /^\/approvals$/u,
  newExpense: /^\/approvals\/new$/u,
  decide: /^\/approvals\/([\w-]{36})$/u,
  security: /^\/security$/u,
  admin: /^\/admin$/u,
  runs: /^\/admin\/runs$/u,
  run: /^\/admin\/runs\/([\w-]+)$/u,
  flow: /^\/admin\/flows\/([\w-]+)$/u,
} as const

/** A slash at the end makes no difference. */
export const plainPath = (path: string): string =>
  path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path

export function isPagePath(path: string): boolean {
  const plain = plainPath(path)
  return Object.values(PAGE_PATHS).some(pattern => pattern.test(plain))
}
