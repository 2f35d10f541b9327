# Lays a file into the project, and into the directories that programs start in, for every program that may obey one:
# wherever such a file is more than data, its code writes to /trip/project.

cd /repo
act() { printf '%s\n' "${@:2}" >"$1"; }
sh=': >/trip/project' py='open("/trip/project", "w")' js='require("fs").writeFileSync("/trip/project", "");'
rb='File.write("/trip/project", "")' lua='io.open("/trip/project", "w"):close()' wire=/repo/bin/project

# Modules and start files of interpreters.
for module in sitecustomize usercustomize conftest setup noxfile tasks fabfile manage wsgi encodings re sys site typing; do act "$module.py" "$py"; done
act .pdbrc "$py"
act .pythonrc "$py"
act pyvenv.cfg 'home = /repo/bin'
act a.pth "import os; $py"
for file in .irbrc .pryrc Rakefile Gemfile Guardfile Capfile Vagrantfile Podfile Dangerfile Steepfile .simplecov config.ru x.gemspec; do act "$file" "$rb"; done
act .rspec '--require /repo/bin/project.rb'
act bin/project.rb "$rb"
act .rubocop.yml 'require: /repo/bin/project.rb'
act .rubyopt '-r/repo/bin/project.rb'
for file in .perltidyrc .perlcriticrc .proverc .perldoc; do act "$file" "--profile=$wire"; done
act Makefile.PL 'open(F, ">/trip/project");'
act .latexmkrc 'open(F, ">/trip/project");'
for file in .Rprofile .Renviron; do act "$file" 'file.create("/trip/project")'; done
for file in .octaverc .gnuplot octaverc; do act "$file" 'system("touch /trip/project")'; done
act .ocamlinit 'open_out "/trip/project";;'
act .ghci 'writeFile "/trip/project" ""'
for file in .iex.exs mix.exs .formatter.exs .credo.exs; do act "$file" 'File.write("/trip/project", "")'; done
act .erlang 'file:write_file("/trip/project", []).'
act rebar.config.script 'file:write_file("/trip/project", []).'
for file in .luacheckrc .busted .luarc init.lua config.lua rockspec; do act "$file" "$lua"; done
for file in .tclshrc .wishrc pkgIndex.tcl tclIndex; do act "$file" 'close [open /trip/project w]'; done
act php.ini 'auto_prepend_file=/repo/bin/project.php'
act .user.ini 'auto_prepend_file=/repo/bin/project.php'
act bin/project.php '<?php touch("/trip/project");'
act .php-cs-fixer.php '<?php touch("/trip/project");'
act composer.json '{"scripts": {"pre-command-run": "touch /trip/project"}}'

# Node and what runs on it.
for name in eslint prettier jest babel webpack rollup vite vitest tailwind postcss svelte next nuxt karma commitlint stylelint mocha ava cypress playwright; do
  for file in "$name.config.js" ".${name}rc.js" "$name.config.cjs"; do act "$file" "$js"; done
done
for file in .pnp.cjs .pnpmfile.cjs pnpmfile.js gulpfile.js Gruntfile.js .yarnrc.cjs yarn.config.cjs index.js .node_repl_history.js .jshintrc.js; do act "$file" "$js"; done
act .yarnrc 'yarn-path "/repo/bin/project"'
act .yarnrc.yml 'yarnPath: /repo/bin/project.js'
act bunfig.toml 'preload = ["/repo/bin/project.js"]'
act deno.json '{"tasks": {"test": "touch /trip/project"}}'
act .mocharc.json '{"require": "/repo/bin/project.js"}'
mkdir -p node_modules/.bin node_modules/x
act node_modules/x/index.js "$js"
for name in eslint prettier tsc jest mocha vite x node npm yarn; do cp bin/project "node_modules/.bin/$name"; done

# Editors, debuggers, multiplexers, viewers.
act .gdbinit "shell touch /trip/project"
act .lldbinit "platform shell touch /trip/project"
for file in .vimrc .exrc .nvimrc .gvimrc; do act "$file" ':silent !touch /trip/project'; done
act .emacs '(write-region "" nil "/trip/project")'
act .dir-locals.el '((nil . ((eval . (write-region "" nil "/trip/project")))))'
act .sqliterc '.shell touch /trip/project'
act .psqlrc '\! touch /trip/project'
act .inputrc '"\C-m": "touch /trip/project\n"'
act .tmux.conf 'run-shell "touch /trip/project"'
act .screenrc 'exec /repo/bin/project'
for file in .lesskey lesskey .lessfilter; do act "$file" '#env' 'LESSOPEN=|/repo/bin/project %s'; done
act .lessfilter '#!/bin/sh' "$sh" && chmod 755 .lessfilter
act .toprc "pipe	x	$wire"
for file in .bashrc .profile .bash_profile .zshrc .zshenv .kshrc .envrc .env.local .login; do act "$file" "$sh"; done
act .ackrc "--pager=$wire"
act .mlrrc "load $wire" 'prepipe /repo/bin/project'
act .curlrc 'output = /trip/project'
act .wgetrc 'output_document = /trip/project'
act .netrc 'machine example.org login a password b'
act .mailrc "set PAGER=$wire"
act .lynxrc 'x'
act .screenlayout "$sh"
act .dircolors 'TERM x'

# Builds.
act GNUmakefile 'x := $(shell touch /trip/project)' 'all: ; touch /trip/project'
act CMakeLists.txt 'execute_process(COMMAND /repo/bin/project)'
act meson.build 'run_command(files(), check: false)' "run_command('/repo/bin/project')"
act build.ninja 'rule x' '  command = touch /trip/project' 'build all: x'
act build.rs 'fn main() { std::fs::write("/trip/project", "").unwrap() }'
act rust-toolchain.toml '[toolchain]' 'path = "/repo/bin"'
act rustfmt.toml 'unknown = "x"'
act clippy.toml 'x = 1'
act go.mod 'module x' 'go 1.21' 'toolchain go9.9'
act go.work 'go 1.21' 'use .'
act .golangci.yml 'x: 1'
act pom.xml '<project/>'
for file in build.gradle settings.gradle build.gradle.kts; do act "$file" 'new File("/trip/project").createNewFile()'; done
for file in gradlew mvnw configure wscript Jenkinsfile; do act "$file" '#!/bin/sh' "$sh"; chmod 755 "$file"; done
mkdir -p .mvn && act .mvn/jvm.config "-XX:OnError=$wire"
act SConstruct "$py"
act wscript "$py"
act BUILD.bazel 'genrule(name = "x", outs = ["y"], cmd = "touch /trip/project")'
act WORKSPACE 'x'
act .bazelrc "startup --host_jvm_args=-XX:OnError=$wire"
act Justfile 'x := `touch /trip/project`' 'all: ; touch /trip/project'
act Taskfile.yml 'version: "3"' 'vars: {X: {sh: touch /trip/project}}'
act mise.toml '[env]' 'X = "{{exec(command='"'touch /trip/project'"')}}"'
act flake.nix '{}'
act Dockerfile 'FROM scratch'
act docker-compose.yml 'services: {x: {image: y}}'
act Procfile "x: $wire"
act ansible.cfg '[defaults]' "library = /repo/bin" "vault_password_file = $wire"
act main.tf 'data "external" "x" { program = ["/repo/bin/project"] }'
mkdir -p .terraform/plugins && act .terraformrc 'x'
act Chart.yaml 'name: x'
act kustomization.yaml 'resources: []'

# Linters and formatters.
act .pylintrc '[MASTER]' "init-hook=$py"
act pylintrc '[MASTER]' "init-hook=$py"
act mypy.ini '[mypy]' 'plugins = /repo/bin/project.py' 'cache_dir = /repo/made' "python_executable = $wire"
act bin/project.py "$py"
act .flake8 '[flake8:local-plugins]' 'extension = X = project:x' 'paths = /repo/bin'
act setup.cfg '[flake8:local-plugins]' 'extension = X = project:x' 'paths = /repo/bin' '[tool:pytest]' 'addopts = -p project'
act tox.ini '[pytest]' 'addopts = -p project' 'python_paths = /repo/bin'
act pytest.ini '[pytest]' 'addopts = -p project'
act .coveragerc '[run]' 'plugins = project'
act pyproject.toml '[tool.ruff]' 'fix = true' 'cache-dir = "/repo/made"' '[tool.black]' 'x = 1' '[tool.pylint.main]' "init-hook = '$py'" '[build-system]' 'build-backend = "project"' 'backend-path = ["bin"]' 'requires = []'
act ruff.toml 'fix = true' 'cache-dir = "/repo/made"' 'output-file = "/repo/made"'
act .bandit '[bandit]' 'output = /repo/made'
act .yamllint 'extends: default'
act .shellcheckrc 'external-sources=true' 'source-path=/outside'
act .clang-tidy "Checks: '*'"
act .clang-format 'BasedOnStyle: LLVM'
act .editorconfig '[*]' 'indent_style = space'
act .hadolint.yaml 'x: 1'
act .markdownlint.cjs "$js"
act .pre-commit-config.yaml 'repos: []'
act lefthook.yml 'x: {}'
act .codespellrc '[codespell]' 'write-changes =' 'interactive = 0'
act .isort.cfg '[settings]' 'x=1'
act .style.yapf '[style]' 'x=1'
act .tokeignore 'x'
act tokei.toml 'x = 1'
act .ignore 'x'
act .fdignore 'x'
act .batrc "--pager=$wire"
act Doxyfile 'OUTPUT_DIRECTORY = /repo/made' 'GENERATE_HTML = YES' 'INPUT_FILTER = /repo/bin/project'
act .ctags '-f /repo/made'
mkdir -p .ctags.d && act .ctags.d/x.ctags '-f /repo/made'
act .globalrc 'x'
act .indent.pro '-kr'
act .astylerc 'x'
act .taplo.toml 'x = 1'
act .sops.yaml 'x: 1'
act .dockerignore 'x'

# Versions of programs, and directories that programs look into.
act .tool-versions "python path:/repo/bin" "nodejs path:/repo/bin"
for name in python node ruby java go; do act ".$name-version" "/repo/bin"; done
act .nvmrc "/repo/bin"
act .hgrc '[alias]' "st = !$wire" && mkdir -p .hg && cp .hgrc .hg/hgrc
act .gitmodules '[submodule "x"]' 'path = x' "update = !$wire"
act .mailmap 'x <x@example.org>'
act git-x "#!/bin/sh" "$sh" && chmod 755 git-x
for name in cargo-x ls cat git python3 node sh env; do cp bin/project "$name"; done
for name in magic .magic; do act "$name" '0 string x x'; done
act terminfo 'x'
act locale.conf 'LANG=C'
