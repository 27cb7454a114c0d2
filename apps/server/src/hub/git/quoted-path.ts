/** The few characters that git writes with a letter; others outside of visible ASCII become three octal digits. */
const letters: Record<string, string> = {
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
}

/** A path in the form of git's headers: in quotes if it needs them. `latin1`: its bytes, one character each. */
export function quotedPath(latin1: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  const escaped = latin1.replace(/[\x00-\x1f"\\\x7f-\xff]/g, (character) => {
    const octal = character.charCodeAt(0).toString(8).padStart(3, '0')
    return `\\${letters[character] ?? octal}`
  })
  return escaped === latin1 ? latin1 : `"${escaped}"`
}
