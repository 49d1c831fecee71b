import { useResponse } from '@wooksjs/event-http'

/** Answers carry tokens: they are not for caches, nor for other sites' logs. */
export function secureAnswer(): void {
  useResponse().setHeader('cache-control', 'no-store').setHeader('referrer-policy', 'no-referrer')
}

/** A status that a step has set stays. Wooks would answer a POST with 201. */
export function setStatus(status: number): void {
  const response = useResponse()
  if (!response.status) response.setStatus(status)
}

/** Forgets all cookies that were set, however they were. */
export function dropCookies(): void {
  useResponse().clearCookies().removeHeader('set-cookie')
}
