import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Contract } from './engine-contract.ts'
import { toTheEnd } from './engine-under-test.ts'

const MOST = 1024

/** The files of a sandbox that are read without the help of its programs. */
export function fileContract({ it, promise }: Contract): void {
  promise('are read while a session runs and after it has ended', async () => {
    const { sandbox } = await it.engine.started(
      `import fs from 'node:fs'
       fs.writeFileSync('/workspace/note', 'written'); console.log('ready'); setInterval(() => {}, 1000)`,
    )
    expect(String(await sandbox.readFile('/workspace/note', MOST))).toBe('written')
    await sandbox.stop(0)
    expect(String(await it.engine.next(sandbox).readFile('/workspace/note', MOST))).toBe('written')
    await sandbox.close()
  })

  promise('that are none, or too large, are no bytes of ours', async () => {
    const sandbox = await it.engine.open()
    await toTheEnd(
      sandbox,
      `import fs from 'node:fs'
       fs.symlinkSync('/etc/passwd', '/workspace/link'); fs.mkdirSync('/workspace/folder')
       fs.writeFileSync('/workspace/large', 'x'.repeat(${MOST + 1})); fs.writeFileSync('/workspace/empty', '')`,
    )
    for (const none of ['nothing', 'link', 'folder'])
      expect(await sandbox.readFile(`/workspace/${none}`, MOST)).toBeNull()
    expect(await sandbox.readFile('/workspace/empty', MOST)).toEqual(Buffer.alloc(0))
    await expect(sandbox.readFile('/workspace/large', MOST)).rejects.toMatchObject({ name: 'EngineError' })
    await expect(sandbox.readFolder('/workspace/nothing')).rejects.toMatchObject({ name: 'EngineError' })
    await sandbox.close()
  })

  promise('of the host are not reached by a link in there', async () => {
    const secret = join(mkdtempSync(join(tmpdir(), 'bl-secret-')), 'secret')
    writeFileSync(secret, 'of the host')
    const sandbox = await it.engine.open()
    await toTheEnd(
      sandbox,
      `import fs from 'node:fs'
       fs.symlinkSync('${secret}', '/workspace/file'); fs.symlinkSync('${dirname(secret)}', '/workspace/folder')`,
    )
    for (const path of ['file', 'folder/secret'])
      expect(String(await sandbox.readFile(`/workspace/${path}`, MOST).catch(() => null))).toBe('null')
    await sandbox.close()
    rmSync(dirname(secret), { recursive: true })
  })

  promise('of a folder are a tar stream that begins with the folder’s name', async () => {
    const sandbox = await it.engine.open()
    await toTheEnd(sandbox, `import fs from 'node:fs'; fs.writeFileSync('/workspace/note', 'written')`)
    const tar = Buffer.concat(await (await sandbox.readFolder('/workspace')).toArray())
    expect(tar.toString('latin1')).toMatch(/^workspace\/?\0/)
    expect(tar.includes('workspace/note\0')).toBe(true)
    await sandbox.close()
  })
}
