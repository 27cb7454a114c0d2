import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../testing/temp-folder.ts'
import { sessionCommand } from './session-command.ts'

async function folders(): Promise<{ path: string; first: string; second: string }> {
  const root = await tempFolder()
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  for (const folder of [first, second]) await mkdir(folder)
  return { path: `/no/such/folder:/etc/passwd:${first}:${second}`, first, second }
}

test('a program is found as a shell finds it, even behind a file that may not be run', async () => {
  const { path, first, second } = await folders()
  const order = { argv: ['tool', '-x'], env: { PATH: path }, cwd: '/' }
  expect(() => sessionCommand(order, null)).toThrow(expect.objectContaining({ code: 127 }))
  await writeFile(join(first, 'tool'), '')
  await chmod(join(first, 'tool'), 0o644)
  expect(() => sessionCommand(order, null)).toThrow(expect.objectContaining({ code: 126 }))
  await writeFile(join(second, 'tool'), '')
  await chmod(join(second, 'tool'), 0o755)
  expect(sessionCommand(order, null)).toEqual(['tool', '-x'])
  expect(sessionCommand({ ...order, argv: ['./tool'], cwd: second }, null)).toEqual(['./tool'])
  expect(() => sessionCommand({ ...order, env: {} }, null)).toThrow(/no program tool/)
})

test.each([
  [0, 300],
  [500, 800],
  [900, 1000],
])('short of memory, it goes before a supervisor with the score %i', (own, score) => {
  const command = sessionCommand({ argv: ['/bin/sh', '-c', 'echo $0', '"'], env: {}, cwd: '/' }, own)
  expect(command).toEqual([
    '/bin/sh',
    '-c',
    `echo ${score} > /proc/self/oom_score_adj; exec "$0" "$@"`,
    '/bin/sh',
    '-c',
    'echo $0',
    '"',
  ])
})
