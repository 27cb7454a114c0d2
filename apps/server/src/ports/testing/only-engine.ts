import type { Engine } from '../engine.ts'
import type { Engines } from '../engines.ts'

/** A server that has one engine. */
export const onlyEngine = (engine: Engine): Engines => ({ names: ['local'], nameOf: () => 'local', of: () => engine })
