import { expect } from 'vitest'
import type { Contract } from './engine-contract.ts'
import { toTheEnd } from './engine-under-test.ts'

const SECOND = 1_700_000_000
/** Leaves folders as a checkout and a setup do: some that git knows, and others. */
const SETUP = `import fs from 'node:fs'
  import { execSync } from 'node:child_process'
  for (const path of ['src/lib/deep', 'd1', 'd2', 'node_modules/pkg', '.venv/bin']) {
    fs.mkdirSync(path, { recursive: true })
    fs.writeFileSync(path + '/file', path)
  }
  fs.linkSync('d1/file', 'd1/same')
  fs.symlinkSync('file', 'd1/link')
  fs.chmodSync('.venv/bin/file', 0o755)
  fs.utimesSync('d1/file', ${SECOND}, ${SECOND})
  fs.utimesSync('node_modules/pkg', ${SECOND}, ${SECOND})
  execSync('git init -q . && git add src d1 d2 && git -c user.name=a -c user.email=a@b commit -qm start')`

const RENAME = `import fs from 'node:fs'
  import { execSync } from 'node:child_process'
  execSync('git mv src/lib src/library', { stdio: 'inherit' })
  execSync(\`python3 -c 'import os; os.rename("d1", "d1b")'\`, { stdio: 'inherit' })
  fs.renameSync('d2', 'd2b')
  fs.renameSync('node_modules/pkg', 'node_modules/.pkg-1')
  fs.renameSync('node_modules', 'modules')
  fs.renameSync('.venv', 'venv')`

const LOOK = `import fs from 'node:fs'
  const time = (path) => fs.statSync(path).mtimeMs / 1000
  const [one, other] = ['d1b/file', 'd1b/same'].map((path) => fs.statSync(path).ino)
  console.log(JSON.stringify({
    names: fs.readdirSync('.').toSorted(),
    texts: ['src/library/deep/file', 'd1b/link', 'd2b/file', 'modules/.pkg-1/file'].map((path) => fs.readFileSync(path, 'utf8')),
    times: [time('d1b/file'), time('modules/.pkg-1')],
    same: one === other, mode: (fs.statSync('venv/bin/file').mode & 0o777).toString(8),
  }))`

/** For a sandbox that can be kept for others to start from. It is never a pod: pods cannot become images. */
const setup = { purpose: 'setup' } as const

/** Folders of the workspace, no matter who made them. */
export function renameContract({ it, promise }: Contract): void {
  const key = () => ({ project: 'contract', digest: `${it.engine.adapter.prefix}-renamed` })
  const look = async (sandbox: Parameters<typeof toTheEnd>[0]) =>
    JSON.parse((await toTheEnd(sandbox, LOOK)).stdout.toString()) as unknown

  promise('folders that a checkout or a setup made can be renamed, at a first start and at a later one', async () => {
    const first = await it.engine.open(setup)
    expect((await toTheEnd(first, SETUP)).exit.code).toBe(0)
    const lines: string[] = []
    const environment = await first.keepAs(key(), (line) => lines.push(line))
    expect(lines).toEqual([])
    await first.close()

    const renamed = {
      names: ['.git', 'd1b', 'd2b', 'modules', 'src', 'venv'],
      texts: ['src/lib/deep', 'd1', 'd2', 'node_modules/pkg'],
      times: [SECOND, SECOND],
      same: true,
      mode: '755',
    }
    const sandbox = await it.engine.open({ environment })
    const { stderr, exit } = await toTheEnd(sandbox, RENAME)
    expect([stderr.toString(), exit.code]).toEqual(['', 0])
    expect(await look(sandbox)).toEqual(renamed)
    await sandbox.stop(1000)
    expect(await look(it.engine.next(sandbox))).toEqual(renamed)
    await sandbox.close()

    const warm = await it.engine.open({ environment })
    await warm.warm()
    await warm.stepAhead()
    const again = await toTheEnd(warm, RENAME)
    expect([again.stderr.toString(), again.exit.code]).toEqual(['', 0])
    expect(await look(warm)).toEqual(renamed)
    await warm.close()
  })

  promise('a sandbox that is stopped while it starts has its whole workspace at the next start', async () => {
    const many = `import fs from 'node:fs'
      for (let at = 0; at < 1000; at++) {
        fs.mkdirSync('many/' + (at % 100), { recursive: true })
        fs.writeFileSync('many/' + (at % 100) + '/' + at, 'x'.repeat(4096))
      }`
    const first = await it.engine.open(setup)
    await toTheEnd(first, many)
    const environment = await first.keepAs({ ...key(), digest: `${it.engine.adapter.prefix}-many` })
    await first.close()

    const sandbox = await it.engine.open({ environment })
    await sandbox.warm()
    await sandbox.stop(0)
    const count = `import fs from 'node:fs'
      const files = fs.readdirSync('many', { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      console.log(files.length, files.every((one) => fs.statSync(one.parentPath + '/' + one.name).size === 4096))
      fs.renameSync('many', 'moved')`
    const running = await toTheEnd(sandbox, count)
    expect([running.stdout.toString(), running.exit.code]).toEqual(['1000 true\n', 0])
    await sandbox.close()
  })
}
