/**
 * The lines of `.beads/config.yaml`, wherever `bd` sees a line end: Windows has another one than we, and YAML knows
 * three more. Two or three keys do not need a parser, which would read the file differently from `bd`.
 */
export const configLines = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n?|[\n\u0085\u2028\u2029]/)

/** A key's value, without its comment and its quotes; '' for none. */
export function configValue(text: string): string {
  const said = text
    .replace(/\s#[^]*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  return said === '~' || /^null$/i.test(said) ? '' : said
}
