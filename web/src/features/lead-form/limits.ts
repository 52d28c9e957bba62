/** What the API takes with a form (docs/api.md). The form says so before, and refuses the rest itself. */
export const MOST_FILES = 5;
export const LARGEST_FILE_BYTES = 10 << 20;
export const LARGEST_FILES_BYTES = 29 << 20;
export const FILE_EXTENSIONS = 'pdf doc docx odt xlsx pptx txt png jpg jpeg zip'.split(' ');
export const LONGEST_LINE_CHARS = 200;
export const LONGEST_TEXT_CHARS = 10_000;
