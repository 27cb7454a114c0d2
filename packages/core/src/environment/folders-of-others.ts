/*
 * Names of folders in which nothing is a project's own, as alternatives of a pattern; each reader adds what it alone leaves
 * out.
 */

/** Others wrote it, or it shows others how something is used; `{{ … }}` is the name of a template's folder. */
export const NOT_OURS = String.raw`\.[^/]*|[^/]*\{\{[^/]*|node_modules|vendor|third[_-]?party|examples?|samples?|demos?|templates?|docs?`

/** In a path to something that builds C: libraries that were copied in are built with it, and say nothing of it. */
export const NOT_COPIED_IN = String.raw`(?!.*(?:^|/)(?:third[_-]?party|vendor|extern(?:al)?|deps|subprojects|node_modules)/)`
