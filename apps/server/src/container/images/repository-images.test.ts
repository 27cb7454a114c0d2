import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { RepositoryImages } from './repository-images.ts'

type Made = ConstructorParameters<typeof RepositoryImages>

test('images that a Dockerfile names are pulled within the time of its build', async () => {
  const clock = new HandClock()
  const asked: string[] = []
  const images = { find: async () => null, client: { clock } } as unknown as Made[0]
  const named = {
    ensure: (name: string, _where: string, _onProgress: unknown, signal: AbortSignal) =>
      new Promise((_, reject) => {
        asked.push(name)
        signal.addEventListener('abort', () => reject(new Error('given up')))
      }),
  } as unknown as Made[1]
  const build = {
    from: 'dockerfile' as const,
    path: 'Dockerfile',
    context: async () => Readable.from([]),
    cacheKey: 'c',
    timeoutMs: 60_000,
    limits: { cpus: 1, memoryBytes: 1, processes: 1 },
    network: 'bridge' as const,
    images: ['a', 'b'],
  }
  const made = new RepositoryImages(images, named, { proxy: {} }).ensure(
    build,
    null,
    () => {},
    new AbortController().signal,
  )
  const ended = expect(made).rejects.toThrow(/^building Dockerfile did not end within 1 min: .* "limits.setupTimeout/)
  await expect.poll(() => asked).toEqual(['a'])
  clock.advance(60_000)
  await ended
  expect(asked).toEqual(['a'])
})
