import type { Found } from '@beadloom/core/environment/found.ts'
import { look } from '@beadloom/core/environment/look.ts'
import type { RepositoryFiles } from '@beadloom/core/environment/files/repository-files.ts'
import { orStopped } from './aside-thread.ts'
import type { AsideThreads } from './aside-threads.ts'
import { dearnessOf, SMALL_BYTES, SMALL_PATHS } from './bounds.ts'

/** Files that are left out one by one; a repository with more of them is not read at all. */
const MOST_LEFT_OUT = 3

/** Reads a repository's files, and leaves out those that take too much work. */
export async function environmentAside(threads: AsideThreads, { paths, texts }: RepositoryFiles): Promise<Found> {
  const length = [...texts.values()].reduce((sum, text) => sum + text.length, 0)
  if (length <= SMALL_BYTES && paths.length <= SMALL_PATHS) return look({ paths, texts })
  const left = new Map(texts)
  const without: string[] = []
  for (;;) {
    const list = [...left]
    const reading = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(-1)
    const order = { do: 'environment', paths: paths.join('\0'), texts: list, reading } as const
    const size = order.paths.length + list.reduce((sum, [path, text]) => sum + text.length * dearnessOf(path), 0)
    const answer = await threads.inTurn((thread) => thread.ask(order, size))
    if (answer !== null && 'notes' in answer) return withNotes(answer, without)
    orStopped(answer, 'the files of a repository were read')
    const guilty = list[Atomics.load(reading, 0)]?.[0]
    if (guilty === undefined || without.length === MOST_LEFT_OUT)
      return withNotes(look({ paths: [], texts: new Map() }), [''])
    left.delete(guilty)
    without.push(guilty)
  }
}

/** `''`: all of them. */
const withNotes = (found: Found, without: readonly string[]): Found => ({
  ...found,
  notes: [
    ...without.map((file) => ({
      text: `${file === '' ? 'The files of this repository take' : `${file} takes`} too much work to read. ${file === '' ? 'They were' : 'It was'} left out.`,
      from: { file, line: null },
    })),
    ...found.notes,
  ],
})
