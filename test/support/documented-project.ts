import { readFile } from './project'

/** A section of a page that shows files and commands. */
export interface DocumentedSection {
  /** Texts by the names that stand above them. */
  readonly files: Readonly<Record<string, string>>
  /** The lines of its shell blocks. */
  readonly commands: readonly string[]
}

/** The sections of a page, by their headings. A file is a block below its name: **`src/main.ts`**. */
export function sectionsOf(path: string): ReadonlyMap<string, DocumentedSection> {
  const [, ...sections] = readFile(path).text.split(/^## /mu)
  return new Map(
    sections.map(section => {
      const [heading = ''] = section.split('\n')
      const files = section.matchAll(/^\*\*`([^`]+)`\*\*\n\n```\w+\n([\s\S]*?)```/gmu)
      const shells = section.matchAll(/^```sh\n([\s\S]*?)```/gmu)
      return [
        heading,
        {
          files: Object.fromEntries([...files].map(([, name = '', text = '']) => [name, text])),
          commands: [...shells].flatMap(([, lines = '']) => lines.trim().split('\n')),
        },
      ]
    }),
  )
}
