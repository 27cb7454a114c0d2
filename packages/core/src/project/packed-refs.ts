/**
 * Whether this ref's name is a folder of a ref in git's file `packed-refs`, or the other way round: git cannot keep two
 * such refs.
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
