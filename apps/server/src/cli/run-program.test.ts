// @suite unit-processes
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const here = (file: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, file)).href)

/** The exit code of a command that prints without end, when its reader leaves. */
async function readByHead(first: string): Promise<number | null> {
  const script = `
    import { Command } from 'commander'
    import { runProgram } from ${here('run-program.ts')}
    import { noEndYet } from ${here('exit-code.ts')}
    const print = (failed) => failed || process.stdout.write('a line\\n', (error) => setImmediate(print, error))
    await runProgram(() => new Command().action(async () => { ${first}; print() }), false)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = (await ended) as [number | null]
  return code
}

test('a command that prints has done its work when its reader has seen enough', async () => {
  expect(await readByHead('')).toBe(0)
})

test('a command that follows work to its end does not call a lost reader a success', async () => {
  expect(await readByHead('noEndYet()')).toBe(1)
})
