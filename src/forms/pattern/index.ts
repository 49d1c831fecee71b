export { LinearPattern, type Work } from './linear-pattern'
export { PatternProblem } from './pattern-problem'
