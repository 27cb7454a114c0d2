/**
 * JSON itself escapes control characters below U+0020; those above, and marks that reverse text, harm a terminal as
 * well.
 */
export const safeJson = (json: string): string =>
  json.replace(
    // eslint-disable-next-line no-control-regex
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
