import type { AtscriptDoc, TMessages, Token } from '@atscript/core'

/** One use of an annotation in a `.as` file. */
export interface AnnotationUse {
  /** The annotation itself, `@db.table`. */
  readonly token: Token
  readonly args: readonly Token[]
  readonly doc: AtscriptDoc
}

/** Says what is wrong with a use and what to write instead, or nothing. */
export type Rule = (use: AnnotationUse) => string | undefined

/** The `validate` hook of an annotation: the first rule that objects is the one that speaks. */
export function obeying(...rules: readonly Rule[]) {
  return (token: Token, args: Token[], doc: AtscriptDoc): TMessages | undefined => {
    for (const rule of rules) {
      const message = rule({ token, args, doc })
      if (message) {
        return [{ severity: 1, message: `${token.text}: ${message}`, range: token.range }]
      }
    }
    return undefined
  }
}

/** The first argument, if it is a text. The compiler itself objects when it is not. */
export function textOf({ args }: AnnotationUse): string | undefined {
  return args[0]?.type === 'text' ? args[0].text : undefined
}
