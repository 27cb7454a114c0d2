/* Quotes texts for a unit file, so that systemd reads them back unchanged (systemd.syntax, systemd.service). */

/**
 * Line ends and other control characters have no form that every setting takes; nobody has them in a path on purpose.
 */
// eslint-disable-next-line no-control-regex
export const isSafe = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text) && text.isWellFormed()

/** For settings that take the whole rest of their line. `%` begins a specifier everywhere. */
export const asLine = (text: string): string => text.replaceAll('%', '%%')

/** For settings that are split into words, as by a shell. */
export function asWord(text: string): string {
  const word = asLine(text)
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`
}

/**
 * A command line with an absolute path in front. `:` keeps systemd from replacing `$NAME` by variables: in the path
 * itself it would not read `$$` as `$`. systemd also refuses quotes and backslashes in the path of a program.
 */
export function asCommand(command: readonly string[]): string {
  const [path = ''] = command
  const [program = '', ...rest] = /["'\\]/.test(path) ? ['/usr/bin/env', ...command] : command
  const literal = command.some((word) => word.includes('$'))
  return [literal ? `:${program}` : program, ...rest].map(asWord).join(' ')
}
