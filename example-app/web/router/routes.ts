import { type Component, defineAsyncComponent } from 'vue'
import AcceptPage from '../pages/AcceptPage.vue'
import ApprovalsPage from '../pages/ApprovalsPage.vue'
import ApprovePage from '../pages/ApprovePage.vue'
import ExpensePage from '../pages/ExpensePage.vue'
import HomePage from '../pages/HomePage.vue'
import InboxPage from '../pages/InboxPage.vue'
import InvitePage from '../pages/InvitePage.vue'
import MissingPage from '../pages/MissingPage.vue'
import RecoverPage from '../pages/RecoverPage.vue'
import SignInPage from '../pages/SignInPage.vue'

/** Who may see a page. The server decides; this only spares users an error. */
export type Access = 'anyone' | 'signed-in' | 'admin'

export interface Route {
  /** Its group, if it has one, is the `id` that the page gets. */
  readonly pattern: RegExp
  readonly title: string
  readonly access: Access
  readonly page: Component
}

const lazy = (load: () => Promise<{ default: Component }>) => defineAsyncComponent(load)

const ROUTES: readonly Route[] = [
  { pattern: /^\/$/u, title: 'Home', access: 'anyone', page: HomePage },
  { pattern: /^\/sign-in$/u, title: 'Sign in', access: 'anyone', page: SignInPage },
  { pattern: /^\/accept$/u, title: 'Your invitation', access: 'anyone', page: AcceptPage },
  { pattern: /^\/recover$/u, title: 'New password', access: 'anyone', page: RecoverPage },
  { pattern: /^\/approve$/u, title: 'An expense', access: 'anyone', page: ApprovePage },
  { pattern: /^\/inbox$/u, title: 'Inbox', access: 'anyone', page: InboxPage },
  { pattern: /^\/invite$/u, title: 'Invite someone', access: 'admin', page: InvitePage },
  { pattern: /^\/approvals$/u, title: 'My approvals', access: 'signed-in', page: ApprovalsPage },
  { pattern: /^\/approvals\/new$/u, title: 'New expense', access: 'signed-in', page: ExpensePage },
  {
    pattern: /^\/admin$/u,
    title: 'Paused flows',
    access: 'admin',
    page: lazy(() => import('../pages/AdminPage.vue')),
  },
  {
    pattern: /^\/admin\/flows\/([^/]+)$/u,
    title: 'A paused flow',
    access: 'admin',
    page: lazy(() => import('../pages/FlowPage.vue')),
  },
]

const MISSING: Route = {
  pattern: /^/u,
  title: 'Not found',
  access: 'anyone',
  page: MissingPage,
}

export interface FoundRoute {
  readonly route: Route
  readonly id: string | undefined
}

/** The page at a path. A slash at the end makes no difference. */
export function findRoute(path: string): FoundRoute {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  for (const route of ROUTES) {
    const found = route.pattern.exec(plain)
    if (found) return { route, id: found[1] && decodeURIComponent(found[1]) }
  }
  return { route: MISSING, id: undefined }
}
