import { isTestFile } from '@beadloom/core/tamper/tamper.ts'
import { testsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import { partsByHeads } from '@beadloom/core/verdict/not-checked.ts'

/* Builds changes from a text. */

export const patchOf = (path: string, text: string): string =>
  `+++ b/${path}\n@@ -0,0 +1,9 @@\n${text
    .split('\n')
    .map((line) => `+${line}`)
    .join('\n')}`

/** A change of one file. Lines without a sign are new ones. */
export const changeOf = (path: string, text: string) => ({
  files: [
    {
      path,
      status: 'M',
      patch: `@@ -1 +1 @@\n${text
        .split('\n')
        .map((line) => (/^[-+ ]/.test(line) ? line : `+${line}`))
        .join('\n')}`,
      cut: false,
    },
  ],
  collectedBefore: null,
  collectedAfter: null,
})

/**
 * A change of many files, with a blank line between them. Each begins with a line of its status and path, then come the
 * lines of its patch. Without a status, the lines are what people asked for.
 */
export function filesChanged(text: string): unknown {
  const files = new Map<string, ReturnType<typeof changeOf>['files'][number]>()
  const task: string[] = []
  for (const part of text.split('\n\n')) {
    const [, status = '', path = '', patch = ''] = /^([ADMR]) (.+)\n?([^]*)$/.exec(part) ?? []
    if (path === '') task.push(part)
    else if (!files.has(path)) for (const file of changeOf(path, patch).files) files.set(path, { ...file, status })
  }
  const all = [...files.values()]
  const isThere = ({ status }: { status: string }): boolean => status !== 'D'
  return testsOfChange({
    ...changeOf('', ''),
    files: all,
    all,
    paths: all.filter(isThere).map(({ path }) => path),
    deletedCode: all.filter((file) => !isThere(file) && !isTestFile(file.path)).map(({ path }) => path),
    task: task.join('\n'),
  })
}

/** Every other line is the path of a changed file; the lines between are new lines of files that decide about tests. */
export function pathsAsked(text: string): unknown {
  const lines = text.split('\n')
  const added = lines.filter((_, at) => at % 2 === 1).join('\n')
  const paths = lines.filter((_, at) => at % 2 === 0)
  const files = ['conftest.py', 'vitest.config.ts'].flatMap((path) => changeOf(path, added).files)
  files.push(...paths.map((path) => ({ path, status: 'M', patch: '', cut: false })))
  return testsOfChange({ ...changeOf('', ''), files, paths })
}

/** Each line is a file that could not run and a path of the commit; the whole text is the beginning of those files. */
export function partsNotRun(text: string): unknown {
  const lines = text.split('\n')
  const parts = lines.slice(0, 50).map((part) => ({ part, files: [0, 0] }))
  return partsByHeads({ parts, heads: [text], changed: ['src/a.py'], all: lines.map((line) => `${line}/a.py`) })
}
