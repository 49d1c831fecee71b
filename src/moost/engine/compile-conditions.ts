import type { TWorkflowItem, TWorkflowSchema } from '@prostojs/wf'
import { WfError } from '../../errors'
import { isGroup } from './schema-item'

/** How the engine compiles a condition that is written as text. It keeps what it has compiled. */
interface ConditionCompiler {
  readonly fnPool?: { getFn?(text: string): unknown } | undefined
}

/**
 * Has the engine compile all conditions that are written as text. By itself it does so when it asks them first, and a
 * Worker may make code of text only while it starts.
 *
 * @throws WfError `WF_CONFIG` for a text that is no expression
 */
export function compileConditions<T>(
  engine: object,
  schemaId: string,
  compiled: TWorkflowSchema<T>,
): void {
  const { fnPool } = engine as ConditionCompiler
  for (const text of textsOf(compiled)) {
    try {
      fnPool?.getFn?.(text)
    } catch (cause) {
      const problem = `A condition of the workflow "${schemaId}" is no expression.`
      throw new WfError('WF_CONFIG', problem, { cause })
    }
  }
}

const CONDITIONS = ['condition', 'while', 'break', 'continue'] as const

function textsOf<T>(schema: TWorkflowSchema<T>): string[] {
  return schema.flatMap((item: TWorkflowItem<T>) => {
    if (typeof item === 'string') return []
    const fields = item as Partial<Record<(typeof CONDITIONS)[number], unknown>>
    const own = CONDITIONS.map(name => fields[name]).filter(text => typeof text === 'string')
    return isGroup(item) ? [...own, ...textsOf(item.steps)] : own
  })
}
