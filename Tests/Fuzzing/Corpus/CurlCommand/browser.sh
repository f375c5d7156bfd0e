curl --compressed -X POST 'https://a.example/' -H 'Content-Type: application/json' -b 'sid=1' --data-raw $'{"query":"{ a(b: \'c\') }\\n\u00e9"}'
