import { markName, shown } from '../../../ui/text/hostile-text.ts'

/** A minified file may have lines of a megabyte; nobody reads on here. */
export const MOST_CHARACTERS = 2000

/** A line of a file, safe to show: characters that browsers obey or hide become visible marks; tabs stay. */
export const codeText = (text: string): string => shown(text).replace(/[\n\r]/g, markName)
