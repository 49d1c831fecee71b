import { computed, readonly, shallowRef } from 'vue'
import { getJson, postJson, sentenceOf } from '../api/api'

export interface User {
  readonly email: string
  readonly name: string
  readonly role: 'admin' | 'manager' | 'member'
  readonly mfa: boolean
}

/** An account that everybody may use, because the server is for its own machine alone. */
export interface DemoAccount {
  readonly email: string
  readonly password: string
  readonly role: string
  readonly totpSecret?: string
  readonly recoveryCodes?: readonly string[]
}

interface Me {
  readonly user: User | null
  readonly demo?: {
    readonly accounts: readonly DemoAccount[]
    readonly hasInbox: boolean
    /** Whether admins may kill the server. */
    readonly canKill: boolean
  }
}

const me = shallowRef<Me>()
const error = shallowRef<string>()

/** Asks who is signed in. */
export async function loadSession(): Promise<void> {
  try {
    me.value = await getJson<Me>('/api/me')
    error.value = undefined
  } catch (caught) {
    error.value = sentenceOf(caught)
  }
}

export async function signOut(): Promise<void> {
  await postJson('/api/logout')
  await loadSession()
}

/** To be called when the server says that nobody is signed in. */
export const sessionEnded = loadSession

/** Who is here. It is the same for all components. */
export function useSession() {
  return {
    isKnown: computed(() => me.value !== undefined),
    error: readonly(error),
    user: computed(() => me.value?.user ?? undefined),
    isAdmin: computed(() => me.value?.user?.role === 'admin'),
    demoAccounts: computed(() => me.value?.demo?.accounts ?? []),
    hasInbox: computed(() => me.value?.demo?.hasInbox ?? false),
    canKill: computed(() => me.value?.demo?.canKill ?? false),
  }
}
