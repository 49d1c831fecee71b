import type { Message } from './message'
import { method, path, query } from './mutate-address'
import { asForm, compress, contentType, damageBytes } from './mutate-bytes'
import { atOnce, cookie, header, host, manyHeaders, tear } from './mutate-headers'
import { damageToken, moveToken } from './mutate-token'
import {
  addField,
  changeFilter,
  changeKeys,
  type Mutation,
  replaceBody,
  replaceValue,
  taint,
} from './mutate-value'
import type { Random } from './random'

/** What gets furthest into the application comes most often. */
const MUTATIONS: readonly (readonly [weight: number, mutation: Mutation])[] = [
  [40, taint],
  [20, replaceValue],
  [20, changeFilter],
  [8, changeKeys],
  [8, addField],
  [8, damageToken],
  [8, query],
  [6, header],
  [6, asForm],
  [5, moveToken],
  [5, damageBytes],
  [5, compress],
  [5, path],
  [4, method],
  [4, atOnce],
  [3, contentType],
  [3, cookie],
  [3, tear],
  [2, replaceBody],
  [2, host],
  [1, manyHeaders],
]

const UNCHANGED = 0.05
const MOST = 3

/** Changes a request in one to three ways, and now and then in none. */
export function mutate(right: Message, random: Random): Message {
  const mutated = structuredClone(right)
  const count = random.chance(UNCHANGED) ? 0 : 1 + random.below(MOST)
  for (let times = 0; times < count; times++) {
    const [, mutation] = random.pickBy(MUTATIONS, ([weight]) => weight)
    mutation(mutated, random)
  }
  return mutated
}
