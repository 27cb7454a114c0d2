import { expect, test } from 'vitest'
import { noToolchains } from '@beadloom/core/environment/toolchains/offer.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { EngineError } from '../ports/engine.ts'
import { LeftDevcontainers } from './without-devcontainer.ts'

const project = parseProjectId('p')
const devcontainer = {
  file: '.devcontainer/devcontainer.json',
  image: 'example.org/dev:1',
  tools: [],
  features: [],
  missing: [],
}
const settings = { devcontainer, instead: { ...noToolchains, release: 'trixie' } } as unknown as ProjectSettings
const away = new EngineError('image-missing', 'the image example.org/dev:1 cannot be pulled\nconnection refused')

function world() {
  let now = 0
  const tried: boolean[] = []
  const left = new LeftDevcontainers({ monotonic: () => now })
  const told: string[] = []
  const prepared = (error: Error | null, wanted = settings) =>
    left.prepared(
      project,
      wanted,
      async (used) => {
        tried.push(used.devcontainer !== null)
        if (used.devcontainer !== null && error !== null) throw error
        return used.toolchains?.release ?? 'own'
      },
      (text) => told.push(text),
    )
  return { left, tried, told, prepared, later: () => (now += 700_000) }
}

test('a devcontainer whose image is unavailable gives way to our own image, with a note', async () => {
  const { left, told, prepared } = world()
  expect(await prepared(away)).toBe('trixie')
  expect(told).toEqual([
    "The devcontainer of .devcontainer/devcontainer.json is not available here, so Beadloom's own image is used, with the toolchains that the other files ask for. The image example.org/dev:1 cannot be pulled.",
  ])
  expect(left.textFor(project)).toBe(told[0])
})

test('it is requested again after a while, and counts as soon as it is available', async () => {
  const { left, tried, prepared, later } = world()
  await prepared(away)
  await prepared(away)
  expect(tried).toEqual([true, false, false])
  later()
  await prepared(null)
  expect(tried.slice(3)).toEqual([true])
  expect(left.textFor(project)).toBeNull()
})

test('another devcontainer is requested at once, and none leaves no note', async () => {
  const { left, tried, prepared } = world()
  await prepared(away)
  await prepared(null, { ...settings, devcontainer: { ...devcontainer, image: 'example.org/dev:2' } } as never)
  expect(tried).toEqual([true, false, true])
  await prepared(away)
  await prepared(null, { ...settings, devcontainer: null, instead: null })
  expect(left.textFor(project)).toBeNull()
})

test('an engine that fails does not make a devcontainer unavailable', async () => {
  const { left, tried, prepared } = world()
  const failed = new EngineError('unreachable', 'Docker does not answer')
  await expect(prepared(failed)).rejects.toBe(failed)
  expect(tried).toEqual([true])
  expect(left.textFor(project)).toBeNull()
})
