import { describeTable } from '@atscript/moost-wf/testing'
import { describe } from 'vitest'
import { conformanceEngines } from '../inside/databases'

describe.each(conformanceEngines())('on $name', ({ name, create, lacks }) => {
  describeTable({ name, create, lacks })
})
