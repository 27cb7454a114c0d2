// @suite contract-long
import { describe } from 'vitest'
import { dockerIsHere } from '@beadloom/server/src/container/testing/docker-world.ts'
import { openDocker } from './docker-under-test.ts'
import { engineContract, ofSessions } from './engine-contract.ts'

describe.skipIf(!(await dockerIsHere(process.env)))('Docker', () => {
  engineContract(() => openDocker(process.env, ['docker']), {}, ofSessions)
})
