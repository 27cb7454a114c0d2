import type { Engine } from '../ports/engine.ts'
import { EngineError } from '../ports/engine.ts'
import { absentText } from '../ports/engines.ts'
import type { Sandbox } from '../ports/sandbox.ts'
import type { Service } from '../ports/service.ts'

/**
 * Replaces an engine that a project or a row names and the server does not have (any more): it is away, with the reason.
 */
export function absentEngine(name: string): Engine {
  const text = absentText(name)
  const away = (): Promise<never> => Promise.reject(new EngineError('unreachable', text))
  const none = { ok: false, text, where: null, weaker: [], cpus: 0, memoryBytes: 0 }
  return {
    name,
    health: async () => none,
    prepare: away,
    environment: away,
    imageName: () => '',
    push: away,
    images: away,
    removeImage: away,
    agentBytes: away,
    open: away,
    sandbox: ({ id, name: called }): Sandbox => ({
      id,
      name: called,
      warm: away,
      stepAhead: away,
      run: away,
      adopt: away,
      listen: away,
      state: away,
      readFile: away,
      readFolder: away,
      keepAs: away,
      node: async () => null,
      bytes: async () => null,
      stop: away,
      interrupt: async () => null,
      letGo: () => {},
      close: away,
    }),
    serviceImage: away,
    openService: away,
    service: ({ id, name: called }): Service => ({
      id,
      name: called,
      start: away,
      isReady: async () => false,
      output: () => ({ close: () => {}, [Symbol.asyncIterator]: async function* () {} }),
      ended: away,
      close: away,
    }),
    owned: away,
    tidy: away,
  }
}
