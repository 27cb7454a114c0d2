import { markName, shown } from '../../../ui/hostile-text.ts'

/** A line of a minified file may have a megabyte; nobody reads on here. */
export const MOST_CHARACTERS = 2000

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

/** A line of a file as it may be shown: what would be obeyed or not be seen is a visible mark; tabs stay. */
export const codeText = (text: string): string =>
  shown(text).replace(CONTROLS, (mark) => {
    const code = mark.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '\u2421' : markName(mark)
  })
