import { afterAll, beforeAll, describe } from 'vitest'
import { endContract } from './end-contract.ts'
import { imageContract } from './image-contract.ts'
import { lifeContract } from './life-contract.ts'
import { outputContract } from './output-contract.ts'
import { reachContract } from './reach-contract.ts'
import type { EngineUnderTest } from './engine-under-test.ts'

/**
 * What `Engine` promises (apps/server/src/ports/engine.ts), as tests that every adapter has to pass: `open` gives them
 * one, with everything that they need around it. What is an adapter's own (how Docker's connections break, what its
 * images are made of) is tested beside the adapter.
 */
export function engineContract(open: () => Promise<EngineUnderTest>): void {
  const it = {} as { engine: EngineUnderTest }
  beforeAll(async () => {
    it.engine = await open() // Docker's makes the base image on the first run
  }, 600_000)
  afterAll(() => it.engine?.close())

  describe('containers', () => lifeContract(it))
  describe('the end of a container', () => endContract(it))
  describe('output', () => outputContract(it))
  describe('images', () => imageContract(it))
  describe('what a container reaches', () => reachContract(it))
}
