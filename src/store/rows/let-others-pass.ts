import { sleep } from '../../state'

/** Another writer may come first, and then another, but not for ever. */
export const ROUNDS = 100

/** A short pause, longer with every round that was lost. */
export async function letOthersPass(round: number): Promise<void> {
  if (round < 2) return
  await sleep(Math.random() * Math.min(round, 20))
}
