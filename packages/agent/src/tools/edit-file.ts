import { isUtf8 } from 'node:buffer'
import { z } from 'zod/mini'
import { defineTool, ToolRefusal } from './tool.ts'
import { readRegular, resolveInside, writeRegular } from './workspace-file.ts'

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces one passage of a text file of the workspace. old_text must be in the file exactly once, with the same spaces and line breaks; take enough of the lines around it to make it unique.',
  input: z.strictObject({
    path: z.string().check(z.describe('Path of the file, relative to the workspace')),
    old_text: z.string().check(z.minLength(1), z.describe('The passage to replace, exactly as it is in the file')),
    new_text: z.string().check(z.describe('What stands there afterwards; empty to remove the passage')),
  }),
  async run({ path, old_text: before, new_text: after }, { workspace }) {
    const real = await resolveInside(workspace, path)
    const bytes = await readRegular(real, path)
    if (!isUtf8(bytes)) throw new ToolRefusal(`${path} is not valid UTF-8; an edit would damage it`)
    const text = bytes.toString('utf8')
    const at = text.indexOf(before)
    if (at < 0) throw new ToolRefusal(`old_text is not in ${path}; read the file and copy the passage exactly`)
    const count = countMatches(text, before)
    if (count > 1)
      throw new ToolRefusal(`old_text is in ${path} ${count} times; take in more of the lines around the passage`)
    await writeRegular(real, path, text.slice(0, at) + after + text.slice(at + before.length))
    const line = text.slice(0, at).split('\n').length
    return { ok: true, text: `replaced the passage at line ${line} of ${path}` }
  },
})

/** Counts overlapping matches too: either of them could be meant. */
function countMatches(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1
  return count
}
