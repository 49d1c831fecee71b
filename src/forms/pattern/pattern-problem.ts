/** Why a pattern cannot be run in linear time, and what to write instead. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem'
}
