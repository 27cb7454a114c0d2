// @suite contract-long
import { describe } from 'vitest'
import { besidesOutput, engineContract } from './engine-contract.ts'
import { hasProcesses, openProcesses } from './processes-under-test.ts'

const lacks = {
  'what is asked for is limited, or it is said which limits do not act': 'it is for tests, and limits nothing',
}

describe.skipIf(!hasProcesses)('The process engine', () => {
  engineContract(openProcesses, lacks, besidesOutput)
})
