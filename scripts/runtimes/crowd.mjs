const CLIENTS = 30
/** A request that waits for what another one has begun would wait for ever. */
const PATIENCE_MS = 20_000

const ANSWERS = [{ coffee: 'flat white' }, { name: 'Ada' }]
const EXPECTED = 'One flat white for Ada'

/** Has many clients go through the flow of test/runtimes/inside/order-app.ts at the same time. */
export async function crowdOf(send) {
  const cases = []
  for (const kept of ['token', 'handle', 'durable']) {
    const outcomes = await Promise.all(Array.from({ length: CLIENTS }, () => order(send, kept)))
    const others = outcomes.filter(outcome => outcome !== EXPECTED)
    const path = [`${CLIENTS} orders at once, kept by ${kept}, are all finished`]
    if (others.length === 0) cases.push({ path, state: 'passed' })
    else {
      cases.push({ path, state: 'failed', error: `${others.length} were not. One: ${others[0]}` })
    }
  }
  return cases
}

/** @returns what it ends with, or what went wrong */
async function order(send, kept) {
  const post = body =>
    send('/api/wf', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).then(answer => answer.json())
  try {
    let answer = await post({ wfid: `order/${kept}` })
    for (const input of ANSWERS) answer = await post({ wfs: answer.wfs, input })
    return answer.data ?? `an answer with ${Object.keys(answer)}`
  } catch (error) {
    return error.message
  }
}
