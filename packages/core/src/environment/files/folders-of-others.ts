/*
 * Names of folders with nothing of the project's own, as alternatives of a pattern; a reader may add more for itself.
 */

/** Others wrote the content, or it is an example for others; `{{ … }}` is the name of a template's folder. */
export const NOT_OURS = String.raw`\.[^/]*|[^/]*\{\{[^/]*|node_modules|vendor|third[_-]?party|examples?|samples?|demos?|templates?|docs?`

/** For paths of builds of C: libraries that were copied in are built with the project, and say nothing about it. */
export const NOT_COPIED_IN = String.raw`(?!.*(?:^|/)(?:third[_-]?party|vendor|extern(?:al)?|deps|subprojects|node_modules)/)`
