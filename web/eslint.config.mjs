import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import svelte from "eslint-plugin-svelte";
import tseslint from "typescript-eslint";

const markup = "Pages make elements, never markup: names of strangers must not become tags.";

export default defineConfig(
  { ignores: ["node_modules"] },
  js.configs.recommended,
  svelte.configs.recommended,
  {
    files: ["**/*.svelte"],
    languageOptions: { parserOptions: { parser: tseslint.parser, extraFileExtensions: [".svelte"] } },
    // Dates and sets here are values, replaced as a whole. Types of components are checked by svelte-check, unused names too.
    rules: {
      "svelte/prefer-svelte-reactivity": "off",
      "no-undef": "off",
      "no-unused-vars": "off",
      "prefer-const": "off",
    },
  },
  { files: ["**/*.svelte.ts"], rules: { "svelte/prefer-svelte-reactivity": "off" } },
  {
    files: ["src/**/*.ts", "tests/**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "off",
      "@typescript-eslint/no-implied-eval": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/ban-ts-comment": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unnecessary-type-assertion": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      // Comma expressions and assignments say two small things in one line.
      "@typescript-eslint/no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
      // Listeners may be asynchronous; what they throw comes to the console.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: markup },
        { property: "outerHTML", message: markup },
        { property: "insertAdjacentHTML", message: markup },
        { object: "document", property: "write", message: markup },
        { object: "document", property: "getElementById", message: "Look inside the root of the page." },
      ],
    },
  },
  { files: ["*.mjs"], languageOptions: { globals: { process: "readonly", URL: "readonly" } } },
);
