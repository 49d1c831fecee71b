import { bodyOf, head, type Message, write } from './message'
import { mutate } from './mutate'
import { Random } from './random'
import { RIGHT_REQUESTS } from './requests'
import { type Answer, send } from './send'
import type { World } from './world'

/** What a case came to. */
export interface FuzzResult {
  readonly index: number
  /** A sentence for each thing that must not be, with the request that it takes. */
  readonly problems: readonly string[]
  readonly isSlow: boolean
}

const SLOW_MS = 2000
const LONGEST_SHOWN = 1500
const LONG_BODY = 50_000

/** Builds one request from its seed, sends it, and looks at what comes back. */
export async function runCase(
  url: URL,
  world: World,
  seed: number,
  index: number,
): Promise<FuzzResult> {
  const random = new Random(Math.imul(seed, 31) + index)
  const { name, build } = random.pickBy(RIGHT_REQUESTS, ({ weight }) => weight)
  const sent = mutate(await build(world, random), random)
  const answers = await Promise.all(Array.from({ length: sent.times }, () => send(url, sent)))
  for (const answer of answers) world.learn(answer)
  const problems = answers.flatMap(answer => problemsOf(sent, answer))
  return {
    index,
    problems: problems.map(problem => `Case ${index}, ${name}: ${problem}\n${show(sent)}`),
    isSlow: answers.some(({ ms }) => ms > SLOW_MS),
  }
}

function problemsOf(sent: Message, answer: Answer): string[] {
  const { status, headers, text } = answer
  // Whoever is refused while sending a long body may see the connection closed, and no answer.
  const mayBeCutOff = sent.isTorn || bodyOf(sent).length > LONG_BODY
  const isJson = String(headers['content-type']).startsWith('application/json')
  return [
    ...(status >= 500 ? [`was answered with ${status}: ${text.slice(0, LONGEST_SHOWN)}`] : []),
    ...(status === 0 && !mayBeCutOff ? [`was not answered ${text}`] : []),
    ...(INSIDE.test(text) ? [`shows what is inside: ${text.slice(0, LONGEST_SHOWN)}`] : []),
    ...(isJson && sent.method !== 'HEAD' && !canParse(text)
      ? ['has an answer that is no JSON']
      : []),
  ]
}

/** A stack, a path of this machine, a statement of a driver. */
const INSIDE = /\n {4}at |node_modules|file:\/\/|WfError:/u

function canParse(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function show(sent: Message): string {
  const written = write(sent)
  const body = JSON.stringify(written.body.toString('latin1'))
  return `${head(written).slice(0, LONGEST_SHOWN)}\n\n${body.slice(0, LONGEST_SHOWN)}`
}
