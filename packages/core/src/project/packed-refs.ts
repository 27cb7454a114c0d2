/**
 * Whether a ref of git's file `packed-refs` lies in a folder of this ref's name, or this ref in one of its name: git keeps no
 * two refs like that.
 *
 * @param packed the file's text
 * @param ref a full name
 */
export function clashesWithPacked(packed: string, ref: string): boolean {
  if (packed.includes(` ${ref}/`)) return true
  for (let end = ref.lastIndexOf('/'); end > 0; end = ref.lastIndexOf('/', end - 1))
    if (packed.includes(` ${ref.slice(0, end)}\n`)) return true
  return false
}
