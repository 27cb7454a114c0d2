import { markName, shown } from '../../../ui/text/hostile-text.ts'

/** A line of a minified file may have a megabyte; nobody reads on here. */
export const MOST_CHARACTERS = 2000

/** A line of a file as it may be shown: what would be obeyed or not be seen is a visible mark; tabs stay. */
export const codeText = (text: string): string => shown(text).replace(/[\n\r]/g, markName)
