// @suite remote
import { describe } from 'vitest'
import { dockerIsHere } from '@beadloom/server/src/container/testing/docker-world.ts'
import { openDocker } from './docker-under-test.ts'
import { engineContract } from './engine-contract.ts'

/* A server that shares only the API with its engine: no folder of the host is mounted. */
describe.skipIf(!(await dockerIsHere(process.env)))('Docker, with nothing shared but its API', () => {
  engineContract(() => openDocker(process.env, ['docker'], { linkBy: 'exec' }))
})
