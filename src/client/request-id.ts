/** Names a request, so that a server can tell a retry from a new one. */
export const newRequestId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
