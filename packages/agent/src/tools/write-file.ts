import { mkdir, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod/mini'
import { defineTool, ToolRefusal } from './tool.ts'
import { isInside, resolveInside, writeRegular } from './workspace-file.ts'

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a text file of the workspace: makes it with its folders, or replaces the whole content of an existing one. For a change in an existing file use edit_file.',
  input: z.strictObject({
    path: z.string().check(z.describe('Path of the file, relative to the workspace')),
    content: z.string().check(z.describe('The whole new content')),
  }),
  async run({ path, content }, { workspace }) {
    await makeFolders(workspace, path)
    await writeRegular(await resolveInside(workspace, path), path, content)
    return { ok: true, text: `wrote ${Buffer.byteLength(content).toLocaleString('en-US')} bytes to ${path}` }
  },
})

/** Looks at the deepest folder that exists before it makes any: a link in the path may lead out of the workspace. */
async function makeFolders(workspace: string, path: string): Promise<void> {
  const root = await realpath(workspace)
  const folder = dirname(resolve(root, path))
  let existing = folder
  let real = await realpath(existing).catch(() => null)
  while (real === null && dirname(existing) !== existing) {
    existing = dirname(existing)
    real = await realpath(existing).catch(() => null)
  }
  if (real === null || !isInside(root, real)) throw new ToolRefusal(`${path} lies outside the workspace ${workspace}`)
  await mkdir(folder, { recursive: true })
}
