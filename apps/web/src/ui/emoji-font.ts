/**
 * Emoji for systems that have none of their own. Each of its files is fetched when a page shows a character that is in it
 * and that no font before it in `--sans` and `--mono` has.
 */
import '@fontsource-variable/noto-emoji/index.css'
