/**
 * Emoji for systems without their own. The browser fetches each of its files when a page shows a character in it that
 * no earlier font of `--sans` and `--mono` has.
 */
import '@fontsource-variable/noto-emoji/index.css'
