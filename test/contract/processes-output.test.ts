// @suite contract-long
import { describe } from 'vitest'
import { engineContract, ofOutput } from './engine-contract.ts'
import { hasProcesses, openProcesses } from './processes-under-test.ts'

/* The parts of the contract that Docker keeps in the long suite. */
describe.skipIf(!hasProcesses)('The process engine', () => {
  engineContract(openProcesses, {}, ofOutput)
})
