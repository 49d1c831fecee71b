import { type Component, defineAsyncComponent } from 'vue'
import AcceptPage from '../pages/AcceptPage.vue'
import ApprovalsPage from '../pages/ApprovalsPage.vue'
import ApprovePage from '../pages/ApprovePage.vue'
import DecidePage from '../pages/DecidePage.vue'
import ExpensePage from '../pages/ExpensePage.vue'
import HomePage from '../pages/HomePage.vue'
import InboxPage from '../pages/InboxPage.vue'
import InvitePage from '../pages/InvitePage.vue'
import MissingPage from '../pages/MissingPage.vue'
import RecoverPage from '../pages/RecoverPage.vue'
import SecurityPage from '../pages/SecurityPage.vue'
import SignInPage from '../pages/SignInPage.vue'
import { PAGE_PATHS, plainPath } from './page-paths'

/** Who may see a page. The server decides; this only spares users an error. */
export type Access = 'anyone' | 'signed-in' | 'admin'

export interface Route {
  readonly pattern: RegExp
  readonly title: string
  readonly access: Access
  readonly page: Component
}

const lazy = (load: () => Promise<{ default: Component }>) => defineAsyncComponent(load)

const ROUTES: readonly Route[] = [
  { pattern: PAGE_PATHS.home, title: 'Home', access: 'anyone', page: HomePage },
  { pattern: PAGE_PATHS.signIn, title: 'Sign in', access: 'anyone', page: SignInPage },
  { pattern: PAGE_PATHS.accept, title: 'Your invitation', access: 'anyone', page: AcceptPage },
  { pattern: PAGE_PATHS.recover, title: 'New password', access: 'anyone', page: RecoverPage },
  { pattern: PAGE_PATHS.approve, title: 'An expense', access: 'anyone', page: ApprovePage },
  { pattern: PAGE_PATHS.inbox, title: 'Inbox', access: 'anyone', page: InboxPage },
  { pattern: PAGE_PATHS.invite, title: 'Invite someone', access: 'admin', page: InvitePage },
  {
    pattern: PAGE_PATHS.approvals,
    title: 'My approvals',
    access: 'signed-in',
    page: ApprovalsPage,
  },
  { pattern: PAGE_PATHS.newExpense, title: 'New expense', access: 'signed-in', page: ExpensePage },
  { pattern: PAGE_PATHS.decide, title: 'An expense', access: 'signed-in', page: DecidePage },
  { pattern: PAGE_PATHS.security, title: 'Security', access: 'signed-in', page: SecurityPage },
  {
    pattern: PAGE_PATHS.admin,
    title: 'Paused flows',
    access: 'admin',
    page: lazy(() => import('../pages/AdminPage.vue')),
  },
  {
    pattern: PAGE_PATHS.flow,
    title: 'A paused flow',
    access: 'admin',
    page: lazy(() => import('../pages/FlowPage.vue')),
  },
  {
    pattern: PAGE_PATHS.runs,
    title: 'Durable runs',
    access: 'admin',
    page: lazy(() => import('../pages/RunsPage.vue')),
  },
  {
    pattern: PAGE_PATHS.run,
    title: 'A durable run',
    access: 'admin',
    page: lazy(() => import('../pages/RunPage.vue')),
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

/** The page at a path. */
export function findRoute(path: string): FoundRoute {
  const plain = plainPath(path)
  for (const route of ROUTES) {
    const found = route.pattern.exec(plain)
    if (found) return { route, id: found[1] }
  }
  return { route: MISSING, id: undefined }
}
