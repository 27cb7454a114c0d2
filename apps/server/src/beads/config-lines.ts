/**
 * The lines of `.beads/config.yaml`, wherever `bd` sees one end: those of Windows end with another character than ours, and
 * YAML knows three more. Two or three keys do not need a parser, which would read the file differently than `bd`.
 */
export const configLines = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n?|[\n\u0085\u2028\u2029]/)

/** A key's value, without its comment and its quotes; '' for nothing. */
export function configValue(text: string): string {
  const said = text
    .replace(/\s#[^]*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  return said === '~' || /^null$/i.test(said) ? '' : said
}
