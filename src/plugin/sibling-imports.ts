const SIBLING_IMPORT = /^(import \{.*\} from "\.{1,2}\/.*\.as)"$/gmu

/** What was compiled from an `.as` file. */
interface CompiledFile {
  readonly fileName: string
  content: string
}

/**
 * Lets compiled files import one another by their full names. atscript writes `"./coffee.as"`, for
 * bundlers; Node loads `"./coffee.as.js"` alone, and TypeScript finds the types beside either.
 */
export function nameSiblings(files: readonly CompiledFile[]): void {
  for (const file of files) {
    if (/\.as\.(?:js|d\.ts)$/u.test(file.fileName)) {
      file.content = file.content.replaceAll(SIBLING_IMPORT, '$1.js"')
    }
  }
}
