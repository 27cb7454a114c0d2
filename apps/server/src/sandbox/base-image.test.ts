import { Readable } from 'node:stream'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { defaultLimits } from '@beadloom/core/project/project-config.ts'
import { noToolchains } from '@beadloom/core/environment/toolchains/offer.ts'
import { expect, test } from 'vitest'
import { baseImageOf } from './base-image.ts'

const hub = {
  archive: async () => Readable.from([]),
  readFile: async () => 'FROM debian\n',
  realPath: async (_: unknown, __: unknown, path: string): Promise<string | null> => path,
  hashFiles: async () => 'hash',
}
const source = { hub, project: parseProjectId('sample'), commit: 'c' }
const devcontainer = {
  file: '.devcontainer/devcontainer.json',
  from: { file: '.devcontainer/devcontainer.json', line: null },
  image: null,
  dockerfile: { path: '.devcontainer/Dockerfile', context: '.devcontainer', args: {}, target: null },
  features: [],
  tools: [],
  env: {},
  setup: null,
  missing: [],
  notes: [],
}

test.each([
  ['a Dockerfile', { dockerfile: 'Dockerfile', devcontainer: null }],
  ['a devcontainer’s Dockerfile', { dockerfile: null, devcontainer }],
])(
  '%s is built with the limits of setup, and without a network if the project has a list of hosts, even an empty one',
  async (_, by) => {
    const limits = { ...defaultLimits, cpus: 2, memoryBytes: 1024 ** 3, processes: 99, setupTimeoutMs: 7000 }
    const settings = { image: null, toolchains: noToolchains, limits, ...by } as Parameters<typeof baseImageOf>[1]
    const bounds = { timeoutMs: 7000, limits: { cpus: 2, memoryBytes: 1024 ** 3, processes: 99 } }
    expect(await baseImageOf(source, { ...settings, allow: [] })).toMatchObject({ ...bounds, network: 'bridge' })
    const listed = { ...settings, allow: ['example.org'] as unknown as typeof settings.allow }
    expect(await baseImageOf(source, listed)).toMatchObject({ ...bounds, network: 'none' })
    const closed = { ...settings, allow: [], sealed: true as const }
    expect(await baseImageOf(source, closed)).toMatchObject({ ...bounds, network: 'none' })
  },
)

test('a Dockerfile is built from the text that was checked for its images; one that names them too late, or too many, or has the engine fetch, is refused', async () => {
  const settings = { image: null, toolchains: noToolchains, limits: defaultLimits, dockerfile: 'ci/Dockerfile' }
  const of = (text: string | null) =>
    baseImageOf({ ...source, hub: { ...hub, readFile: async () => text } }, {
      ...settings,
      devcontainer: null,
      allow: [],
    } as unknown as Parameters<typeof baseImageOf>[1])
  const text = 'FROM debian:12\nCOPY --from=team/other /x /x\n'
  expect(await of(text)).toMatchObject({ text, isInside: true, images: ['debian:12', 'team/other'] })
  await expect(of('ARG X\nFROM $X\n')).rejects.toThrow(/ci\/Dockerfile may take files of an image .* \(FROM \$X\)/)
  await expect(of('FROM a\nADD http://127.0.0.1/x /x\n')).rejects.toThrow(
    /itself fetch an address by ADD \(http:\/\/127/,
  )
  const stages = (many: number) => Array.from({ length: many }, (_, at) => `FROM debian:${at}\n`).join('')
  expect(await of(stages(20))).toMatchObject({ from: 'dockerfile' })
  await expect(of(stages(21))).rejects.toThrow(/^ci\/Dockerfile takes files of 21 images, and at most 20 are pulled/)
  await expect(of(null)).rejects.toThrow('beadloom.json names ci/Dockerfile, which is not in the repository')
})

test('a Dockerfile and a context that are symbolic links are followed', async () => {
  const real: Record<string, string> = { '.devcontainer/Dockerfile': 'ci/images/Dockerfile', '.devcontainer': 'ci' }
  const linked = { ...hub, realPath: async (_: unknown, __: unknown, path: string) => real[path] ?? null }
  const settings = {
    image: null,
    toolchains: noToolchains,
    limits: defaultLimits,
    dockerfile: null,
    devcontainer,
    allow: [],
  }
  const of = (at: typeof linked) =>
    baseImageOf({ ...source, hub: at }, settings as unknown as Parameters<typeof baseImageOf>[1])
  expect(await of(linked)).toMatchObject({ from: 'dockerfile', path: 'images/Dockerfile', isInside: true })
  await expect(of({ ...linked, realPath: async () => null })).rejects.toThrow('is a link that leads out of it')
})
