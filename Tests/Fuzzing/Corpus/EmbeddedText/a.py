q = gql("""
query { a }
""")
r = f"#graphql { b }" # gql("x")
