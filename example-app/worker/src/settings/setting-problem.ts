/** Something is wrong with a setting. The message says what to do, and quotes nothing that is secret. */
export class SettingProblem extends Error {
  override readonly name = 'SettingProblem'
}
