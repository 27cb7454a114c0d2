import { Readable } from 'node:stream'
import { extract, pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { withFile } from './tar-with-file.ts'

async function entriesOf(tar: Readable): Promise<[string, string, string][]> {
  const entries = tar.pipe(extract())
  const found: [string, string, string][] = []
  for await (const entry of entries) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    found.push([entry.header.name, entry.header.type ?? '', Buffer.concat(parts).toString()])
  }
  return found
}

test('a context keeps all its files, and gets one more in place of one of its name', async () => {
  const tar = pack()
  tar.entry({ name: 'folder/', type: 'directory' })
  tar.entry({ name: 'folder/a' }, 'a'.repeat(100_000))
  tar.entry({ name: 'link', type: 'symlink', linkname: 'folder/a' })
  tar.entry({ name: 'own' }, 'of the repository')
  tar.finalize()
  const entries = await entriesOf(withFile(Readable.from(tar), { name: 'own', text: 'FROM x' }))
  expect(entries).toEqual([
    ['folder/', 'directory', ''],
    ['folder/a', 'file', 'a'.repeat(100_000)],
    ['link', 'symlink', ''],
    ['own', 'file', 'FROM x'],
  ])
})

test('a context that breaks off ends with an error here, too', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('git died'))
    },
  })
  const read = async () => {
    for await (const piece of withFile(broken, { name: 'x', text: '' })) void piece
  }
  await expect(read()).rejects.toThrow('git died')
})
